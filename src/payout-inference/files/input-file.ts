/** A file as it was given: what people call it, and its content. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
