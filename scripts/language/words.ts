/** A rejected word: in all texts for people, and for some words in comments as well. */
export interface WordRule {
  readonly pattern: RegExp;
  /** The replacement, as the end of the message. */
  readonly instead: string;
  readonly inComments?: boolean;
  /** Documents that may use the word, as patterns of their paths. */
  readonly allowedIn?: RegExp;
}

const PERSON = 'name the role (caller, operator, approver) or use "they"';

const word = (alternatives: string): RegExp => new RegExp(`\\b(?:${alternatives})\\b`, 'giu');

/** The words that docs/STYLE.md replaces. A word in backticks is a name and passes. */
export const WORD_RULES: readonly WordRule[] = [
  { pattern: word('he|him|his|himself'), instead: PERSON, inComments: true },
  { pattern: word('she|hers|herself'), instead: PERSON, inComments: true },
  { pattern: word('whoever|nobody|somebody|everybody|anybody'), instead: PERSON, inComments: true },
  {
    pattern: word('we|us|our|ours|ourselves'),
    instead: 'write Millime, the integrator or "you"',
    allowedIn: /^docs\/adr\//,
  },
  { pattern: word('desks?'), instead: 'name the command: breaks, token, pos' },
  {
    pattern: word('doors?'),
    instead: 'index.ts, or the public API',
  },
  { pattern: word('clerks?'), instead: 'name the job or the module' },
  { pattern: word('fences?'), instead: 'period lock' },
  {
    pattern: word('rooms?'),
    instead: 'module',
    allowedIn: /^(CONTRIBUTING|docs\/(ARCHITECTURE|CONTEXT|STYLE)|docs\/adr\/.*|test\/support\/README)\.md$/,
  },
  { pattern: word('wait(?:s|ed|ing)? in line'), instead: 'queue' },
  { pattern: word('speaks?|spoke|loud|louder|loudest|loudly|loudness'), instead: 'state which evidence there is' },
  { pattern: word('dies?|died|dying'), instead: 'stop, fail or crash' },
  { pattern: word('nudg(?:e|es|ed|ing)'), instead: 'trigger' },
  { pattern: word('look(?:s|ed|ing)?(?! like)'), instead: 'check, read, search, or status check' },
  { pattern: word('suppos(?:ition|itions)'), instead: 'hypothesis' },
  { pattern: word('work(?:s|ed|ing)? off'), instead: 'process' },
  { pattern: word('(?:left|leaves?) to people'), instead: 'wait for manual review' },
  { pattern: word('on (?:its|their|the) way'), instead: 'in transit' },
  { pattern: word('cut off|cut short'), instead: 'interrupted' },
  { pattern: word('colour(?:s|ed)?'), instead: 'color' },
  { pattern: word('behaviours?'), instead: 'behavior' },
  { pattern: word('neighbour(?:s|ing)?'), instead: 'neighbor' },
  { pattern: word('favour(?:s|ed|ite)?'), instead: 'favor' },
  { pattern: word('honour(?:s|ed|ing)?'), instead: 'honor' },
  { pattern: word('labell(?:ed|ing)'), instead: 'labeled, labeling' },
  { pattern: word('ageing'), instead: 'aging' },
  { pattern: word('enrols?|enrolments?'), instead: 'enroll' },
  { pattern: word('centres?|centred'), instead: 'center' },
  { pattern: word('licences?'), instead: 'license' },
  { pattern: word('catalogues?'), instead: 'catalog' },
  { pattern: word('analys(?:e|ed|ing)'), instead: 'analyze' },
  {
    pattern: word(
      '(?:recogni|organi|normali|summari|reali|seriali|authori|minimi|maximi|initiali|synchroni)s(?:e|es|ed|ing|ation)',
    ),
    instead: 'write -ize',
  },
];
