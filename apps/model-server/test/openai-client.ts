import type { Express } from 'express';
import OpenAI from 'openai';
import { startTestServer } from './test-server.js';

export interface ServedClient {
  readonly client: OpenAI;
  readonly url: string;
  close(): Promise<void>;
}

/** The official client library in front of an app, with nothing changed but its base address. */
export async function openaiClientOf(app: Express, apiKey = 'any'): Promise<ServedClient> {
  const { url, close } = await startTestServer((request, response) => app(request, response));
  return { client: new OpenAI({ baseURL: `${url}/v1`, apiKey }), url, close };
}
