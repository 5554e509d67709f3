import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { Icon, type IconName } from '../../components/icon.js';
import { Notice } from '../../components/notice.js';
import { texts } from '../../texts.js';
import { ProviderLinks } from './provider-links.js';

const pointIcons: readonly IconName[] = ['lock', 'vault', 'key'];

/** Where one comes in, and where every sign-in that went wrong says why. */
export function SignInPage() {
  const [query] = useSearchParams();
  const problem = query.get('e');
  const words =
    problem === null ? undefined : (texts.signIn.problems[problem] ?? texts.signIn.problems['provider']);
  useEffect(() => {
    document.title = `${texts.signIn.title} · ${texts.product}`;
  }, []);
  return (
    <div className="sign-in">
      <header className="sign-in-story">
        <div className="row">
          <img src="/hearth.svg" width="40" height="40" alt="" />
          <strong>{texts.product}</strong>
        </div>
        <h1>{texts.signIn.headline}</h1>
        <ul className="stack">
          {texts.signIn.points.map((point, index) => (
            <li key={point}>
              <Icon name={pointIcons[index] ?? 'check'} />
              <span>{point}</span>
            </li>
          ))}
        </ul>
      </header>
      <main className="sign-in-form">
        <div className="sign-in-card">
          <div className="stack-tight">
            <h2>{texts.signIn.title}</h2>
            <p className="soft">{texts.signIn.lead}</p>
          </div>
          {words && (
            <Notice kind={problem === 'cancelled' ? 'plain' : 'bad'} title={words[0]} live>
              <p>{words[1]}</p>
            </Notice>
          )}
          {query.has('signed_out') && (
            <Notice kind="good" live>
              <p>{texts.signIn.signedOut}</p>
            </Notice>
          )}
          <ProviderLinks returnTo={query.get('return_to') ?? '/'} />
        </div>
      </main>
    </div>
  );
}
