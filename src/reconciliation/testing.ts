export { openSealStore } from './closing/seal-store';
export type { MatchPart, NewMatch, PayoutMatch, StoredMatch } from './match';
export { postMatches } from './post-matches';
export { releaseMatch } from './release-match';
