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
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 26rem; margin: 10vh auto; padding: 0 1rem }
  button, input { font: inherit; width: 100%; box-sizing: border-box; padding: .6rem .8rem; margin: .25rem 0 }
  .note { border-left: .25rem solid #d97706; padding-left: .8rem }
  details button { text-align: left }
</style>
<main>
  <h1>Local stand-in for ${provider}</h1>
  <p class="note">This is not ${provider}. It runs on this machine only and lets anybody sign in as anybody, so that
  Hearth can be tried before an OAuth app is registered.</p>
  <form method="post" action="${escapeHtml(action)}">
    ${hidden.join('')}
    <h2>Sign in as</h2>
    ${suggestedPeople.map(({ login, name }) => person(login, name)).join('\n    ')}
    <details>
      <summary>Someone whose sign-in goes wrong</summary>
      ${Object.entries(troubles)
        .map(([login, text]) => person(login, text))
        .join('\n      ')}
    </details>
    <button name="cancel" value="1">Cancel</button>
  </form>
  <form method="post" action="${escapeHtml(action)}">
    ${hidden.join('')}
    <label>Another name <input name="login" required pattern="[A-Za-z0-9][A-Za-z0-9\\-]{0,38}" autocomplete="off"></label>
    <button>Sign in</button>
  </form>
</main>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
