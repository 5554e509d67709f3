import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { whenSealed } from '../../api/client.js';
import { SealedPage } from './sealed-page.js';

/** Shows the way back in whenever any call finds the vault sealed; what was on the screen before is gone with it. */
export function SealGate({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [sealed, setSealed] = useState(false);
  useEffect(() => {
    whenSealed(() => setSealed(true));
    return () => whenSealed(() => undefined);
  }, []);
  if (!sealed) return children;
  return (
    <SealedPage
      onOpen={() => {
        client.clear();
        setSealed(false);
      }}
    />
  );
}
