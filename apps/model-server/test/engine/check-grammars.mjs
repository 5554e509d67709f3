// Asks llama.cpp itself about grammars. Runs as a program of its own, because native code and jest's module loader do
// not mix: a list of { gbnf, texts } comes in as JSON on stdin, and { error } or { accepted } for each goes out.
import { text } from 'node:stream/consumers';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';

const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1, logLevel: LlamaLogLevel.disabled });
const questions = JSON.parse(await text(process.stdin));
const answers = [];
for (const { gbnf, texts } of questions) {
  try {
    const grammar = await llama.createGrammar({ grammar: gbnf });
    answers.push({ accepted: texts.map((candidate) => grammar._testText(candidate)) });
  } catch (error) {
    answers.push({ error: error instanceof Error ? error.message : String(error) });
  }
}
await llama.dispose();
process.stdout.write(JSON.stringify(answers));
