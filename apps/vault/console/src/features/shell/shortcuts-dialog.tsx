import { Dialog } from '../../components/dialog.js';
import { useShortcutsEnabled } from '../../lib/shortcuts.js';
import { texts } from '../../texts.js';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [enabled, setEnabled] = useShortcutsEnabled();
  return (
    <Dialog title={texts.shortcuts.title} onClose={onClose}>
      <label className="check">
        <input type="checkbox" checked={enabled} onChange={(event) => setEnabled(event.target.checked)} />
        <span className="check-text">
          {texts.shortcuts.enabled}
          <small>{texts.shortcuts.enabledAbout}</small>
        </span>
      </label>
      {texts.shortcuts.groups.map(({ title, keys }) => (
        <section key={title} className="stack-tight">
          <h3>{title}</h3>
          <dl className="shortcut-list">
            {keys.map(([combination, effect]) => (
              <div key={combination} style={{ display: 'contents' }}>
                <dt>{effect}</dt>
                <dd>
                  {combination.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
