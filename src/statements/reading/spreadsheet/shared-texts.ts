import { SHARED_TEXTS_MAX } from '../limits';
import { refusal } from '../refusal';
import { readXmlPart, type XmlListener } from './read-xml-part';

/** Collects the text of a cell, which may be in several runs. Readings of East Asian characters are no part of it. */
export class RichText implements XmlListener {
  #text = '';
  #inText = false;
  #inReading = false;

  open(name: string): void {
    if (name === 'rPh') this.#inReading = true;
    if (name === 't') this.#inText = true;
  }

  close(name: string): void {
    if (name === 'rPh') this.#inReading = false;
    if (name === 't') this.#inText = false;
  }

  text(text: string): void {
    if (this.#inText && !this.#inReading) this.#text += text;
  }

  /** Returns the text, and starts the next one. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return unescaped(text);
  }
}

/** Returns the texts that the cells of a workbook share, by their numbers. */
export function readSharedTexts(part: string, bytes: Buffer): readonly string[] {
  const texts: string[] = [];
  const rich = new RichText();
  readXmlPart(part, bytes, {
    open: (name) => rich.open(name),
    close(name) {
      rich.close(name);
      if (name !== 'si') return;
      texts.push(rich.take());
      if (texts.length > SHARED_TEXTS_MAX) throw refusal(`expected at most ${SHARED_TEXTS_MAX} shared texts, got more`);
    },
    text: (text) => rich.text(text),
  });
  return texts;
}

/** Characters that XML cannot contain are written as `_x000D_`. */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(parseInt(String(hex), 16)))
    : text;
}
