/** So many questions make one query; more are asked in another. */
const mostTogether = 100;

interface Waiting<Answer> {
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks with one query what many requests want to know at the same moment: questions wait until the events that are at
 * hand have been handled, not longer. A query is sent after all of its questions were asked, so no answer is older
 * than its question: who asks after a change always sees the change.
 */
export function gather<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
): (key: string) => Promise<Answer | undefined> {
  let gathered = new Map<string, Waiting<Answer>[]>();

  async function send(questions: ReadonlyMap<string, readonly Waiting<Answer>[]>): Promise<void> {
    try {
      const answers = await ask([...questions.keys()]);
      for (const [key, waiting] of questions) {
        for (const { resolve } of waiting) resolve(answers.get(key));
      }
    } catch (error) {
      for (const waiting of questions.values()) for (const { reject } of waiting) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (gathered.size === mostTogether && !gathered.has(key)) gathered = new Map();
      const questions = gathered;
      if (questions.size === 0) {
        setImmediate(() => {
          if (gathered === questions) gathered = new Map();
          void send(questions);
        });
      }
      const waiting = questions.get(key);
      if (waiting === undefined) questions.set(key, [{ resolve, reject }]);
      else waiting.push({ resolve, reject });
    });
}
