import { Link } from 'react-router';
import { EmptyState } from '../../components/empty-state.js';
import { PageHead } from '../../components/page-head.js';
import { texts } from '../../texts.js';

export function NotFoundPage() {
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <div className="panel">
        <EmptyState icon="search" title={texts.notFound.lost}>
          <p>{texts.notFound.about}</p>
          <Link className="button button-primary" to="/">
            {texts.notFound.home}
          </Link>
        </EmptyState>
      </div>
    </>
  );
}
