// One request through HTTP, read as it streams. Every family counts tokens in its own words.

const families = {
  runner: {
    path: '/api/chat',
    body: (model, prompt, maxTokens) => ({
      model,
      messages: [{ role: 'user', content: prompt }],
      stream: true,
      options: { num_predict: maxTokens, temperature: 0 },
    }),
    read: (object) => ({ text: object.message?.content, tokens: object.eval_count }),
  },
  completions: {
    path: '/v1/chat/completions',
    body: (model, prompt, maxTokens) => ({
      model,
      messages: [{ role: 'user', content: prompt }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: maxTokens,
      temperature: 0,
    }),
    read: (object) => ({
      text: object.choices?.[0]?.delta?.content,
      tokens: object.usage?.completion_tokens,
    }),
  },
  messages: {
    path: '/alt/v1/messages',
    body: (model, prompt, maxTokens) => ({
      model,
      messages: [{ role: 'user', content: prompt }],
      stream: true,
      max_tokens: maxTokens,
      temperature: 0,
    }),
    read: (object) => ({ text: object.delta?.text, tokens: object.usage?.output_tokens }),
  },
};

/** A target that sends requests of one family to a server. */
export function httpTarget(name, family, url, model) {
  const { path, body, read } = families[family];
  async function generate({ prompt, maxTokens, modelSuffix = '' }) {
    const startedAt = performance.now();
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body(model + modelSuffix, prompt, maxTokens)),
    });
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    let firstMs;
    let tokens = 0;
    for await (const line of linesOf(response.body)) {
      const json = line.startsWith('data: ') ? line.slice(6) : line;
      if (!json.startsWith('{')) continue;
      const seen = read(JSON.parse(json));
      if (seen.text && firstMs === undefined) firstMs = performance.now() - startedAt;
      if (seen.tokens) tokens = seen.tokens;
    }
    return {
      firstMs: firstMs ?? performance.now() - startedAt,
      totalMs: performance.now() - startedAt,
      tokens,
    };
  }
  return {
    name,
    // A server may close a kept connection just as a request goes out on it: that one is sent again, its clock at zero.
    async generate(request) {
      for (let keptConnections = 16; ; keptConnections -= 1) {
        try {
          return await generate(request);
        } catch (error) {
          if (!wasClosed(error) || keptConnections === 0) throw error;
        }
      }
    },
    close: async () => undefined,
  };
}

function wasClosed(error) {
  return error instanceof TypeError && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(error.cause?.code);
}

async function* linesOf(stream) {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}
