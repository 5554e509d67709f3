/** What the open vault knows of its seal. */
export interface VaultSeal {
  /** Whether a passphrase could open it again; without one, sealing it would be the end. */
  canUnseal(): boolean;
  /** Takes effect at once: keys are overwritten, and requests that still run fail where they next need one. */
  seal(): void;
}
