/** An input file: its name for people, and its content. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
