import { useQuery } from '@tanstack/react-query';
import { withQuery } from '../../api/client.js';
import { queryKeys } from '../../api/query-client.js';
import { listProviders } from '../../api/session-api.js';
import { Notice } from '../../components/notice.js';
import { QueryView } from '../../components/query-view.js';
import { texts } from '../../texts.js';
import { ProviderMark } from './provider-mark.js';

export interface ProviderLinksProps {
  readonly returnTo: string;
  readonly label?: (provider: string) => string;
}

/** One link for each provider that is set up. Links, not forms: the policy lets no form leave this site. */
export function ProviderLinks({ returnTo, label = texts.signIn.with }: ProviderLinksProps) {
  const providers = useQuery({ queryKey: queryKeys.providers, queryFn: listProviders, staleTime: 60_000 });
  return (
    <QueryView query={providers} rows={2}>
      {(list) => (
        <>
          {list.length === 0 && (
            <Notice kind="warn" title={texts.signIn.none}>
              <p>{texts.signIn.noneAbout}</p>
            </Notice>
          )}
          {list.map((provider) => (
            <a
              key={provider.name}
              className="button"
              href={withQuery(provider.sign_in_path, { return_to: returnTo })}
            >
              <ProviderMark name={provider.name} />
              {label(texts.settings.provider[provider.name])}
              {provider.stand_in && <span className="badge badge-warn">{texts.signIn.standIn}</span>}
            </a>
          ))}
          {list.some((provider) => provider.stand_in) && (
            <p className="small soft">{texts.signIn.standInAbout}</p>
          )}
        </>
      )}
    </QueryView>
  );
}
