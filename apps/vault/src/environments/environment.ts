export interface Environment {
  readonly id: string;
  readonly vaultId: string;
  readonly slug: string;
  readonly position: number;
}

export interface CountedEnvironment extends Environment {
  /** Without those in the trash. */
  readonly secretCount: number;
}
