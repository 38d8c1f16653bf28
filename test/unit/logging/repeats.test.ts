import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { limitRepeats } from '../../../src/logging/repeats';
import { recordingLogger } from '../../support/fakes';

const WINDOW_MS = 10_000;
const LINES_MAX = 10;

describe('repeated log lines', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test.each(['warn', 'error'] as const)('of %s: ten pass in ten seconds, and one line counts the rest', (level) => {
    const target = recordingLogger();
    const { logger } = limitRepeats(target);
    for (let index = 0; index < 1_529; index += 1) logger[level]('no connection', { event: 'db.connection', index });
    expect(target.entries.map(({ fields }) => fields['index'])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

    jest.advanceTimersByTime(WINDOW_MS);
    expect(target.entries.slice(LINES_MAX)).toEqual([
      {
        level,
        message: 'log lines left out: event repeated',
        fields: { event: 'log.suppressed', suppressedEvent: 'db.connection', suppressed: 1_519 },
      },
    ]);
    logger[level]('no connection', { event: 'db.connection', index: 'of the next window' });
    expect(target.entries.at(-1)?.fields).toMatchObject({ index: 'of the next window' });
  });

  test('end without a count when none was suppressed', () => {
    const target = recordingLogger();
    const { logger } = limitRepeats(target);
    for (let index = 0; index < LINES_MAX; index += 1) logger.warn('once', { event: 'a' });
    jest.advanceTimersByTime(2 * WINDOW_MS);
    expect(target.entries).toHaveLength(LINES_MAX);
  });

  test('are counted for each event and level, and together without an event', () => {
    const target = recordingLogger();
    const { logger } = limitRepeats(target);
    for (let index = 0; index < 20; index += 1) {
      logger.warn('a', { event: 'a' });
      logger.error('a', { event: 'a' });
      logger.warn('b', { event: 'b' });
      logger.warn(`without ${index}`);
    }
    expect(target.entries).toHaveLength(4 * LINES_MAX);
  });

  test('pass at the levels info and debug, except refused tokens, which any caller can cause', () => {
    const target = recordingLogger();
    const { logger } = limitRepeats(target);
    for (let index = 0; index < 1_000; index += 1) {
      logger.info('confirm answered', { event: 'agent_settlement.stored' });
      logger.debug('again', { event: 'db.retry' });
      logger.info('refused', { event: 'service_tokens.refused' });
    }
    expect(target.events('agent_settlement.stored')).toHaveLength(1_000);
    expect(target.events('db.retry')).toHaveLength(1_000);
    expect(target.events('service_tokens.refused')).toHaveLength(LINES_MAX);
  });

  test('are counted at the end if they were suppressed', () => {
    const target = recordingLogger();
    const { logger, close } = limitRepeats(target);
    for (let index = 0; index < 12; index += 1) logger.error('x', { event: 'jobs.failed' });
    close();
    expect(target.events('log.suppressed').map(({ fields }) => fields['suppressed'])).toEqual([2]);
    jest.advanceTimersByTime(WINDOW_MS);
    expect(target.events('log.suppressed')).toHaveLength(1);
  });
});
