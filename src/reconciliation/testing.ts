export { type ObstacleCode, obstacleOf, type ObstacleParams } from './closing/obstacle';
export { openSealStore } from './closing/seal-store';
export type { MatchPart, NewMatch, PayoutMatch, StoredMatch } from './match';
export { postMatches } from './post-matches';
export { releaseMatch } from './release-match';
