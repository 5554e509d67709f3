import { CodeBlock } from '../../components/code-block.js';
import { PageHead } from '../../components/page-head.js';
import { texts } from '../../texts.js';

const { settings: words } = texts;

/** How to keep a copy that can be brought back. The file is made where the vault runs, never in a browser. */
export function BackupPage() {
  return (
    <>
      <PageHead title={words.backupTitle} about={words.backupAbout} />
      <div className="panel">
        <ol className="steps panel-body">
          {words.backupSteps.map(([title, about], index) => {
            const command = words.backupCommands[index];
            return (
              <li key={title}>
                <div className="stack-tight">
                  <h2>{title}</h2>
                  <p className="soft">{about}</p>
                  {command && <CodeBlock text={command} label={words.copyCommand} />}
                </div>
              </li>
            );
          })}
        </ol>
      </div>
    </>
  );
}
