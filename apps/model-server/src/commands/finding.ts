/** One thing the doctor looked at. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
}
