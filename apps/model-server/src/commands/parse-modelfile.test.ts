import { expect, test } from '@jest/globals';
import { parseModelfile } from './parse-modelfile.js';

test('every instruction, in any case, with quotes of one and of several lines', () => {
  const text = `# a comment
from hf.co/user/repo:Q4_K_M
PARAMETER temperature 0.7
PARAMETER stop "<|end|>"
PARAMETER stop User:
PARAMETER use_mmap true
PARAMETER mirostat 1
REQUIRES 0.5
TEMPLATE """{% for m in messages %}
  {{ m.content }}
{% endfor %}"""
system "Be \\"brief\\"."
MESSAGE user hi there
MESSAGE assistant """hello
you"""
LICENSE MIT
LICENSE """Apache
2.0"""
`;
  expect(parseModelfile(text)).toEqual({
    from: 'hf.co/user/repo:Q4_K_M',
    parameters: { temperature: 0.7, stop: ['<|end|>', 'User:'], use_mmap: true },
    template: '{% for m in messages %}\n  {{ m.content }}\n{% endfor %}',
    system: 'Be "brief".',
    messages: [
      { role: 'user', content: 'hi there' },
      { role: 'assistant', content: 'hello\nyou' },
    ],
    licenses: ['MIT', 'Apache\n2.0'],
    ignored: ['PARAMETER mirostat', 'REQUIRES'],
  });
});

test.each([
  ['SYSTEM x', 'the Modelfile has no FROM line'],
  ['FROM a\nFROM b', 'Modelfile line 2: a second FROM'],
  ['FROM a\n\nADAPTER ./x', 'Modelfile line 3: adapters (LoRA) are not supported'],
  ['FROM a\nWHAT x', 'Modelfile line 2: unknown instruction WHAT'],
  ['FROM a\nSYSTEM """never', 'Modelfile line 2: the """ is never closed'],
  ['FROM a\nMESSAGE robot hi', 'Modelfile line 2: MESSAGE needs a role'],
  ['FROM a\nPARAMETER tempratur 1', "Modelfile line 2: unknown parameter 'tempratur'"],
  ['FROM a\nPARAMETER top_p much', 'Modelfile line 2: parameter top_p must be a number'],
  ['FROM a\nPARAMETER seed', 'Modelfile line 2: PARAMETER needs a name and a value'],
])('%j is refused with its line', (text, message) => {
  expect(() => parseModelfile(text)).toThrow(message);
});
