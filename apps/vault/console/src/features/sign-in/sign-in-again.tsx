import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { withQuery } from '../../api/client.js';
import { queryKeys } from '../../api/query-client.js';
import { listProviders } from '../../api/session-api.js';
import { Notice } from '../../components/notice.js';
import { texts } from '../../texts.js';
import { ProviderMark } from './provider-mark.js';

/** Some things need a recent sign-in: the way there and back. */
export function SignInAgain() {
  const { pathname, search } = useLocation();
  const providers = useQuery({ queryKey: queryKeys.providers, queryFn: listProviders, staleTime: 60_000 });
  return (
    <Notice kind="warn" title={texts.problems.byCode['reauthentication_required'] ?? ''} live>
      <p>{texts.problems.signInAgain}</p>
      <div className="row">
        {providers.data?.map(({ name, sign_in_path }) => (
          <a
            key={name}
            className="button button-small"
            href={withQuery(sign_in_path, { return_to: pathname + search })}
          >
            <ProviderMark name={name} />
            {texts.problems.signInAgainWith(texts.settings.provider[name])}
          </a>
        ))}
      </div>
    </Notice>
  );
}
