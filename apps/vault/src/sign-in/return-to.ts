const longestPath = 512;

/**
 * Where to go after the sign-in: a page of ours or the start page. Browsers read `//host` and `/\host` as another
 * site, so the text is judged by what a browser makes of it.
 */
export function safeReturnTo(wanted: unknown, publicUrl: string): string {
  if (
    typeof wanted !== 'string' ||
    wanted.length > longestPath ||
    !/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted)
  ) {
    return '/';
  }
  const origin = new URL(publicUrl).origin;
  const url = URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined;
  if (url?.origin !== origin || /^\/(auth|api)(\/|$)/.test(url.pathname)) return '/';
  // Dots in a path can lead to `//host` again once they are resolved.
  return url.pathname.startsWith('//') ? '/' : `${url.pathname}${url.search}${url.hash}`;
}
