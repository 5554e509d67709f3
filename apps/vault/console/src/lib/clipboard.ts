/** A value leaves the clipboard by itself after this long, where the browser lets us see that it is still there. */
const clearAfterMs = 45_000;

/** Copies what `read` brings. The promise goes to the browser as it is, so that a click still counts when it settles. */
export async function copyText(read: () => Promise<string>): Promise<boolean> {
  try {
    const text = read();
    const blob = text.then((value) => new Blob([value], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    return false;
  }
}

/** As `copyText`, for what must not lie around: cleared later if it is still what the clipboard holds. */
export async function copySecret(read: () => Promise<string>): Promise<boolean> {
  let digest: Promise<string> | undefined;
  const done = await copyText(async () => {
    const value = await read();
    digest = digestOf(value);
    return value;
  });
  if (done && digest) {
    const wanted = await digest;
    setTimeout(() => void clearIfUnchanged(wanted), clearAfterMs);
  }
  return done;
}

/** Only with a permission that was already given: asking for it here would come out of nowhere. */
async function clearIfUnchanged(wanted: string): Promise<void> {
  try {
    const { state } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName });
    if (state !== 'granted') return;
    if ((await digestOf(await navigator.clipboard.readText())) === wanted) {
      await navigator.clipboard.writeText('');
    }
  } catch {
    // The window is in the background or the browser forbids it: the clipboard stays as it is.
  }
}

/** The value itself is not kept while we wait. */
async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return String(bytes);
}
