import type { Express } from 'express';
import OpenAI from 'openai';
import { startTestServer } from './test-server.js';

export interface ServedClient {
  readonly client: OpenAI;
  readonly url: string;
  close(): Promise<void>;
}

/** The official client library, with nothing changed but its base address. */
export function openaiClient(url: string, apiKey = 'any'): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey });
}

/** The same in front of an app. */
export async function openaiClientOf(app: Express, apiKey = 'any'): Promise<ServedClient> {
  const { url, close } = await startTestServer((request, response) => app(request, response));
  return { client: openaiClient(url, apiKey), url, close };
}

export const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
