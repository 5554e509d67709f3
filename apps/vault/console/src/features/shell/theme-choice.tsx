import { useState } from 'react';
import { Icon } from '../../components/icon.js';
import { chooseTheme, chosenTheme, type Theme } from '../../lib/theme.js';
import { texts } from '../../texts.js';

const themes = [
  ['system', 'device'],
  ['light', 'sun'],
  ['dark', 'moon'],
] as const;

export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  return (
    <fieldset>
      <legend className="unseen">{texts.shell.theme}</legend>
      <div className="segments theme-choice">
        {themes.map(([name, icon]) => (
          <label key={name} title={texts.shell.themes[name]}>
            <input
              type="radio"
              name="theme"
              value={name}
              checked={theme === name}
              onChange={() => {
                chooseTheme(name);
                setTheme(name);
              }}
            />
            <Icon name={icon} />
            <span className="unseen">{texts.shell.themes[name]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
