/** Brings the parts of one connection to the file, in the order in which they come. */
export interface PartWriter {
  /** Where the next part can be put so that adding it copies nothing; undefined when there is no such place now. */
  room(): Buffer | undefined;
  /** Takes a copy, unless the part lies in the room that was given. A promise says when there is room again. */
  add(part: Buffer): Promise<void> | undefined;
  /** Everything that was added is written; throws what the disk said, now or before. */
  finish(): Promise<void>;
}
