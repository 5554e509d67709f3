import { Agent, request } from 'node:http';

/** Keeps so many requests in flight for so long; returns requests per second and the slowest of 99 in 100. */
export async function load(url, { headersOf = () => ({}), connections = 16, seconds = 3 }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const durations = [];
  const end = performance.now() + seconds * 1000;
  const one = (headers) =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      request(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
        response.resume().on('end', () => {
          durations.push(performance.now() - start);
          resolve();
        });
      })
        .on('error', reject)
        .end();
    });
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const headers = headersOf(connection);
      while (performance.now() < end) await one(headers);
    }),
  );
  const elapsed = (performance.now() - begin) / 1000;
  agent.destroy();
  durations.sort((a, b) => a - b);
  return { perSecond: durations.length / elapsed, p99: durations[Math.floor(durations.length * 0.99)] };
}
