/** Who is calling, once a token has been accepted. */
export interface Principal {
  readonly id: string;
  /** What the caller may do, with every implied scope written out. `*` stands for all of them. */
  readonly scopes: ReadonlySet<string>;
  /** A name for people, for logs and lists. Never the token. */
  readonly label?: string | undefined;
  /** What else the verifier knows (limits, owner); only the app that wrote it reads it. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

declare global {
  namespace Express {
    interface Request {
      /** Set by `requireToken`, and by nothing else. */
      principal?: Principal | undefined;
    }
  }
}
