import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { whenSealed } from '../../api/client.js';
import { toasts } from '../../lib/toasts.js';
import { SealedPage } from './sealed-page.js';

/** Shows the way back in whenever any call finds the vault sealed; what was on the screen before is gone with it. */
export function SealGate({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [sealed, setSealed] = useState(false);
  useEffect(() => {
    whenSealed(() => {
      setSealed(true);
      // Nothing of the vault stays in memory, nor on offer in a corner: no undo works now.
      client.clear();
      toasts.clear();
    });
    return () => whenSealed(() => undefined);
  }, [client]);
  const open = useCallback(() => setSealed(false), []);
  if (!sealed) return children;
  return <SealedPage onOpen={open} />;
}
