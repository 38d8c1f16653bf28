export { type Credit, type Link, type LinkSearch, linkFinder } from './find-links';
export { type CardRule, learnCardRules } from './learn-card-rule';
export { type ObservationBounds, readObservationBounds } from './observation-bounds';
export { NO_ITEM, observedItems } from './observed-items';
export { type StreamItems, orderStream } from './order-stream';
export { type FeeHypothesis, priceStream } from './price-stream';
