/** Refuses a form by what a use case answered, with a sentence in the person's language beside a field. */
export class OutcomeRefused extends Error {
  override readonly name = 'OutcomeRefused';
  readonly field: string;

  constructor(field: string, sentence: string) {
    super(sentence);
    this.field = field;
  }
}
