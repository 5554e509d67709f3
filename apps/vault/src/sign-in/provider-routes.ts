import { providerSchema } from '@hearth/protocol-types/vault/provider';
import { z } from 'zod';
import { defineOperation, type Operation } from '../http/operations/operation.js';
import type { ProviderSettings } from './provider-settings.js';

export function providerRoutes(providers: readonly ProviderSettings[]): Operation[] {
  return [
    defineOperation({
      id: 'listProviders',
      method: 'get',
      path: '/api/providers',
      tag: 'Logins',
      summary: 'The ways to sign in that this vault is set up for',
      access: { kind: 'public' },
      replies: { 200: { description: 'None, one or both', schema: z.array(providerSchema) } },
      async handle() {
        const json = providers.map(({ name, label, isStandIn }) => ({
          name,
          label,
          stand_in: isStandIn,
          sign_in_path: `/auth/${name}`,
          link_path: `/auth/link/${name}`,
        }));
        return { status: 200, json };
      },
    }),
  ];
}
