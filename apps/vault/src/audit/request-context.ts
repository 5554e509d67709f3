/** Where a request came from: what the audit log and the list of sessions keep of it. */
export interface RequestContext {
  readonly requestId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
}
