import { useState } from 'react';
import { hasCode } from '../../api/problem.js';
import { readSecret, type SecretPlace } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { DiffView } from './diff-view.js';

export interface ConflictNoticeProps {
  readonly place: SecretPlace;
  readonly mine: string;
  readonly currentVersion: number | undefined;
  /** Saves over the version that was seen here; 0 where it is gone. */
  readonly onOverwrite: (version: number) => void;
  readonly onDiscard: () => void;
}

/** Two people, one secret: what is there now, and what to do about it. Nothing typed is lost meanwhile. */
export function ConflictNotice(props: ConflictNoticeProps) {
  const { place, mine, currentVersion, onOverwrite, onDiscard } = props;
  const [theirs, setTheirs] = useState<{ value: string; version: number }>();
  const [gone, setGone] = useState(false);
  const { busy, problem, run } = useAttempt();
  const version = gone ? 0 : (theirs?.version ?? currentVersion);

  const compare = () =>
    run(async () => {
      try {
        setTheirs(await readSecret(place));
      } catch (error) {
        if (!hasCode(error, 'not_found')) throw error;
        setGone(true);
      }
    });

  return (
    <Notice kind="warn" title={texts.editor.conflictTitle} live>
      <p>{gone ? texts.editor.conflictGone : texts.editor.conflictAbout(version)}</p>
      {theirs && <DiffView before={theirs.value} after={mine} />}
      {problem !== undefined && <ProblemNotice error={problem} />}
      <div className="row">
        {!theirs && !gone && (
          <Button small icon="eye" busy={busy} onClick={() => void compare()}>
            {texts.editor.compare}
          </Button>
        )}
        <Button small onClick={onDiscard}>
          {texts.editor.discard}
        </Button>
        {version !== undefined && (
          <Button small look="primary" onClick={() => onOverwrite(version)}>
            {texts.editor.overwrite}
          </Button>
        )}
      </div>
    </Notice>
  );
}
