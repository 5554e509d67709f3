/** The console's own colours and type, for a page that has no script and loads nothing. */
export const documentationStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f8f3ec, #16110e);
  --surface: light-dark(#fffdfa, #1e1814);
  --sunken: light-dark(#f1e9de, #120e0b);
  --line: light-dark(#e6dacb, #3a2f27);
  --ink: light-dark(#2b1f18, #f4eae1);
  --soft: light-dark(#68564a, #bda998);
  --ember: light-dark(#ab3f16, #ff9d66);
  --good: light-dark(#2a6a3c, #86d49c);
  --warn: light-dark(#855300, #f3c069);
  --bad: light-dark(#a92a2a, #ff9c94);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
a { color: var(--ember); }
:focus-visible { outline: 2px solid light-dark(#1f5fbf, #8dbbff); outline-offset: 2px; border-radius: 2px; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
h3 { margin: 0; font-size: 0.9375rem; overflow-wrap: anywhere; }
p { margin: 0.5rem 0; max-width: 44rem; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; overflow-wrap: anywhere; }
pre { margin: 0.75rem 0; padding: 0.75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--sunken); white-space: pre-wrap; }
ul { margin: 0; padding: 0; list-style: none; }
.soft { color: var(--soft); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--surface); }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto; }
nav { position: sticky; top: 0; max-height: 100dvh; overflow-y: auto; padding: 1.5rem 1rem; font-size: 0.8125rem; }
nav a { display: block; padding: 0.1875rem 0.5rem; border-radius: 0.375rem; color: inherit; text-decoration: none; }
nav a:hover { background: var(--sunken); }
nav .brand { display: flex; align-items: center; gap: 0.5rem; margin-bottom: 1rem; font-size: 1.125rem; font-weight: 700; }
nav summary, nav > ul > li > a { padding: 0.25rem 0.5rem; font-weight: 650; cursor: pointer; }
nav li li a { padding-left: 1.375rem; color: var(--soft); }
main { padding: 1.5rem 1.5rem 4rem; min-width: 0; }
article { margin: 0.75rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface); }
article:target { border-color: var(--ember); }
.method { display: inline-block; min-width: 3.75rem; margin-right: 0.5rem; color: var(--good); font-family: var(--mono); font-size: 0.75rem; font-weight: 700; }
.method-post, .method-put, .method-patch { color: var(--warn); }
.method-delete { color: var(--bad); }
.table { overflow-x: auto; margin-top: 0.75rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.8125rem; }
th, td { padding: 0.375rem 1rem 0.375rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border: 0; color: var(--soft); font-weight: 550; }
tbody th { font-weight: 550; white-space: nowrap; }
td { min-width: 7rem; }
@media (max-width: 52rem) {
  .page { display: block; }
  nav { position: static; max-height: none; padding: 1rem 1rem 0; }
  nav > ul { display: flex; flex-wrap: wrap; column-gap: 0.5rem; }
  main { padding: 1rem 1rem 3rem; }
  article { padding: 0.75rem 1rem; }
  thead { display: none; }
  tr { display: block; padding: 0.375rem 0; border-top: 1px solid var(--line); }
  th, td { display: inline; padding: 0; border: 0; }
  td { min-width: 0; }
  th::after { content: " "; }
  td + td::before { content: " · "; color: var(--soft); }
  td:empty { display: none; }
}
`;
