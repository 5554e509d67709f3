import { type DragEvent, useEffect, useRef, useState } from 'react';
import { isTyping } from '../../lib/shortcuts.js';

/** Takes text that is dropped as a file on an element, or pasted anywhere on the page where nobody types. */
export function useFileDrop(onText: (text: string) => void) {
  const [over, setOver] = useState(false);
  const current = useRef(onText);
  current.current = onText;

  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!/^\s*(export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=|^\s*\{/m.test(text)) return;
      event.preventDefault();
      current.current(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);

  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer.files[0];
      if (file) void file.text().then((text) => current.current(text));
    },
  };
  return { over, handlers };
}
