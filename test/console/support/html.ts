import { DomUtils, ElementType, parseDocument } from 'htmlparser2';

type Document = ReturnType<typeof parseDocument>;
type Element = NonNullable<ReturnType<typeof DomUtils.findOne>>;

/** A form of a page, as a browser would send it. */
export interface PageForm {
  readonly method: string;
  readonly action: string;
  /** The fields as they stand, hidden ones among them; boxes that are not checked are left out. */
  readonly fields: readonly (readonly [string, string])[];
  readonly isMultipart: boolean;
}

/** The parts of a page that tests look at. */
export interface Html {
  readonly title: string;
  readonly heading: string;
  readonly lang: string;
  readonly dir: string;
  /** What a person reads, with single spaces; no-break spaces are spaces. */
  readonly text: string;
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly forms: readonly PageForm[];
  /** The texts of the elements with a role, such as `alert`. */
  byRole(role: string): readonly string[];
  /** The cells of each row of the body of each table. */
  readonly rows: readonly (readonly string[])[];
}

export function parseHtml(source: string): Html {
  const document = parseDocument(source);
  const all = (name: string): Element[] => DomUtils.getElementsByTagName(name, document);
  const main = all('main')[0];
  return {
    title: textOf(all('title')),
    heading: textOf(all('h1')),
    lang: all('html')[0]?.attribs['lang'] ?? '',
    dir: all('html')[0]?.attribs['dir'] ?? '',
    text: textOf(main === undefined ? [] : [main]),
    links: all('a').map((link) => ({ href: link.attribs['href'] ?? '', text: textOf([link]) })),
    forms: all('form').map(formOf),
    byRole: (role) => withRole(document, role).map((element) => textOf([element])),
    rows: all('tbody').flatMap((body) =>
      DomUtils.getElementsByTagName('tr', body).map((row) =>
        DomUtils.findAll(({ name }) => name === 'td' || name === 'th', row.children).map((cell) => textOf([cell])),
      ),
    ),
  };
}

function withRole(document: Document, role: string): Element[] {
  return DomUtils.findAll(({ attribs }) => attribs['role'] === role, document.children);
}

function textOf(elements: readonly Element[]): string {
  // A space between elements, because blocks stand apart on a page.
  const parts = elements.flatMap((element) => DomUtils.filter(({ type }) => type === ElementType.Text, element));
  return parts
    .map((part) => DomUtils.textContent(part))
    .join(' ')
    .replaceAll(/[\s\u00a0\u202f\u2066-\u2069\u200e\u200f]+/g, ' ')
    .trim();
}

function formOf(form: Element): PageForm {
  const controls = DomUtils.findAll(({ name }) => ['input', 'select', 'textarea'].includes(name), form.children);
  return {
    method: form.attribs['method'] ?? 'get',
    action: form.attribs['action'] ?? '',
    isMultipart: form.attribs['enctype'] === 'multipart/form-data',
    fields: controls.flatMap((control): [string, string][] => {
      const { name: field, type, value = '', checked } = control.attribs;
      if (field === undefined || type === 'file') return [];
      if ((type === 'checkbox' || type === 'radio') && checked === undefined) return [];
      if (control.name === 'textarea') return [[field, DomUtils.textContent(control)]];
      if (control.name === 'select') return [[field, chosenIn(control)]];
      return [[field, value]];
    }),
  };
}

function chosenIn(select: Element): string {
  const options = DomUtils.getElementsByTagName('option', select);
  const chosen = options.find(({ attribs }) => 'selected' in attribs) ?? options[0];
  return chosen?.attribs['value'] ?? '';
}
