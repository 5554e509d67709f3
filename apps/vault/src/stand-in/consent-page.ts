import { suggestedPeople, troubles } from './people.js';

/** The page on which one chooses whom to be. Plain HTML that works without scripts. */
export function consentPage(provider: string, action: string, query: URLSearchParams): string {
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const person = (login: string, text: string) =>
    `<button name="login" value="${escapeHtml(login)}">${escapeHtml(text)}</button>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local stand-in for ${provider}</title>
<style>${style}</style>
<main>
  <h1>Local stand-in for ${provider}</h1>
  <p class="note">This is not ${provider}. It runs on this machine only and lets anybody sign in as anybody, so that
  Hearth can be tried before an OAuth app is registered.</p>
  <form method="post" action="${escapeHtml(action)}">
    ${hidden.join('')}
    <h2>Sign in as</h2>
    ${suggestedPeople.map(({ login, name }) => person(login, name)).join('\n    ')}
  </form>
  <form method="post" action="${escapeHtml(action)}" class="other">
    ${hidden.join('')}
    <label for="login">Another name</label>
    <div><input id="login" name="login" required pattern="[A-Za-z0-9][A-Za-z0-9\\-]{0,38}" title="Letters, digits and dashes, at most 39" autocomplete="off" spellcheck="false"><button class="main">Sign in</button></div>
  </form>
  <form method="post" action="${escapeHtml(action)}">
    ${hidden.join('')}
    <details>
      <summary>Someone whose sign-in goes wrong</summary>
      ${Object.entries(troubles)
        .map(([login, text]) => person(login, text))
        .join('\n      ')}
    </details>
    <button name="cancel" value="1" class="quiet">Cancel</button>
  </form>
</main>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `
  :root { color-scheme: light dark; font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
  * { box-sizing: border-box }
  body { margin: 0; padding: 2rem 1rem; background: light-dark(#f8f3ec, #16110e); color: light-dark(#2b1f18, #f4eae1) }
  main { max-width: 26rem; margin: 0 auto; padding: 1.5rem; border: 1px solid light-dark(#e6dacb, #3a2f27); border-radius: .875rem; background: light-dark(#fffdfa, #1e1814) }
  h1 { margin: 0; font-size: 1.5rem; line-height: 1.2 }
  h2, label { display: block; margin: 1rem 0 .25rem; font-size: .8125rem; font-weight: 600 }
  .note { margin: 1rem 0; padding: .75rem 1rem; border-left: .25rem solid light-dark(#855300, #f3c069); border-radius: .5rem; background: light-dark(#fbeecb, #35280f) }
  form { display: grid; gap: .5rem }
  .other div { display: flex; gap: .5rem; margin-bottom: 1rem }
  button, input { min-height: 2.5rem; padding: .375rem .75rem; border: 1px solid light-dark(#8f7c6b, #8a7768); border-radius: .5rem; background: light-dark(#fff, #272019); color: inherit; font: inherit }
  input { flex: 1; min-width: 0 }
  button { cursor: pointer }
  button:hover { background: light-dark(#f3eade, #2c241d) }
  .main { border-color: transparent; background: light-dark(#ad4117, #f2884d); color: light-dark(#fffaf5, #221006); font-weight: 600 }
  .main:hover { background: light-dark(#93350f, #ffa26c) }
  .quiet { border-color: transparent; background: none }
  details { display: grid }
  summary { padding: .25rem 0; color: light-dark(#68564a, #bda998); cursor: pointer }
  details button { width: 100%; margin-bottom: .5rem; text-align: left }
  :focus-visible { outline: 2px solid light-dark(#1f5fbf, #8dbbff); outline-offset: 2px }
`;
