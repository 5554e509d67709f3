/** A browser that is signed in. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  /** The name of the person, for the log. */
  readonly displayName: string;
  /** The login it was opened with; gone when that login was unlinked. */
  readonly identityId: string | undefined;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly authenticatedAt: Date;
  readonly expiresAt: Date;
}

export interface SessionLifetimes {
  readonly idleMs: number;
  readonly absoluteMs: number;
  /** How recent a sign-in must be for what could do lasting harm. */
  readonly freshMs: number;
}
