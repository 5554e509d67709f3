import { useEffect, useState } from 'react';
import { copyText } from '../lib/clipboard.js';
import { texts } from '../texts.js';
import { Button } from './button.js';

export interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  readonly look?: 'plain' | 'primary';
  readonly onCopied?: () => void;
}

/** Copies, and says so in its own words. */
export function CopyButton({ text, label = texts.common.copy, look = 'plain', onCopied }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const done = await copyText(async () => text);
    setState(done ? 'copied' : 'failed');
    if (done) onCopied?.();
  };
  const said = { idle: label, copied: texts.common.copied, failed: texts.common.copyFailed }[state];
  return (
    <>
      <Button small look={look} icon={state === 'copied' ? 'check' : 'copy'} onClick={() => void copy()}>
        {said}
      </Button>
      <span role="status" className="unseen">
        {state === 'idle' ? '' : said}
      </span>
    </>
  );
}
