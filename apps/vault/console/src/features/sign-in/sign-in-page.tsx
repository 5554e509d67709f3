import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { FrontPage } from '../../components/front-page.js';
import { Notice } from '../../components/notice.js';
import { texts } from '../../texts.js';
import { ProviderLinks } from './provider-links.js';

const pointIcons = ['lock', 'vault', 'key'] as const;
const points = pointIcons.map((icon, index) => ({ icon, text: texts.signIn.points[index] ?? '' }));

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
    <FrontPage headline={texts.signIn.headline} points={points}>
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
    </FrontPage>
  );
}
