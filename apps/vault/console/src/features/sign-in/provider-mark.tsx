import type { ProviderName } from '@hearth/protocol-types/vault/provider';

const githubShape =
  'M12 1.500a10.700 10.700 0 0 0-3.400 20.800c.5.100.7-.2.7-.5v-2c-3 .7-3.600-1.300-3.600-1.300-.5-1.200-1.200-1.600-1.200-1.600-1-.7.1-.6.1-.6 1 0 1.600 1.100 1.600 1.100 1 1.600 2.500 1.200 3.100.9.1-.7.4-1.200.7-1.400-2.400-.3-4.900-1.200-4.900-5.300 0-1.200.4-2.100 1.100-2.900-.1-.3-.5-1.400.1-2.800 0 0 .9-.3 3 1.100a10 10 0 0 1 5.400 0c2-1.400 2.900-1.100 2.900-1.100.6 1.400.2 2.500.1 2.800.7.8 1.100 1.700 1.100 2.900 0 4.100-2.500 5-4.900 5.300.4.300.7 1 .7 2v2.900c0 .3.2.6.7.5A10.700 10.700 0 0 0 12 1.500Z';

const googleShapes = [
  [
    '#4285f4',
    'M22.500 12.200c0-.8-.1-1.500-.2-2.200H12v4.200h5.900a5 5 0 0 1-2.200 3.300v2.700h3.500c2.100-1.900 3.300-4.700 3.300-8Z',
  ],
  [
    '#34a853',
    'M12 23c3 0 5.500-1 7.300-2.700l-3.600-2.700c-1 .6-2.200 1-3.700 1-2.900 0-5.300-1.900-6.200-4.500H2.100v2.800A11 11 0 0 0 12 23Z',
  ],
  ['#fbbc05', 'M5.800 14.100a6.600 6.600 0 0 1 0-4.200V7.100H2.100a11 11 0 0 0 0 9.800Z'],
  [
    '#ea4335',
    'M12 5.400c1.600 0 3.100.6 4.200 1.600l3.200-3.100A11 11 0 0 0 2.100 7.100l3.700 2.800C6.700 7.300 9.100 5.400 12 5.400Z',
  ],
] as const;

/** The providers' own marks, drawn here: nothing is loaded from them before one chooses to go there. */
export function ProviderMark({ name }: { readonly name: ProviderName }) {
  return (
    <svg className="provider-mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {name === 'github' ? (
        <path d={githubShape} fill="currentColor" />
      ) : (
        googleShapes.map(([fill, d]) => <path key={fill} fill={fill} d={d} />)
      )}
    </svg>
  );
}
