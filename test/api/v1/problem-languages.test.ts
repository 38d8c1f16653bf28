// Goal: a client gets the texts of problems in the language that it prefers, and the same codes in every language.
// Method: the same refused calls with several `Accept-Language` headers.
import { beforeEach, expect, test } from '@jest/globals';
import { problemStatuses } from '../../../src/api';
import { describeApiOnOneDatabase } from '../support/api';
import { type ApiClient, apiClient, type OperationAnswer } from './support/api-client';
import { MONDAY, withItems } from './support/scenarios/credit-world';

const ARABIC = /\p{Script=Arabic}/u;

describeApiOnOneDatabase('the texts of problems', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
  });

  const closeDay = (language?: string): Promise<OperationAnswer> =>
    client.call('closeDay', {
      ...{ params: { date: MONDAY }, body: {} },
      headers: language === undefined ? {} : { 'Accept-Language': language },
    });

  test.each([undefined, '*', 'de-DE,de;q=0.9', 'en-US', 'en, fr;q=0.9'])('are English for %p', async (language) => {
    await withItems(current.api);
    const { body, headers } = await closeDay(language);
    expect(body).toMatchObject({
      code: 'day_not_closable',
      title: 'Day not closable',
      detail: `cannot close ${MONDAY}`,
    });
    expect([headers['content-language'], headers.vary]).toEqual(['en', 'Accept-Language']);
  });

  test('are French where French is preferred, with their values', async () => {
    await withItems(current.api);
    const english = (await closeDay()).body;
    const { body, headers } = await closeDay('fr-TN,fr;q=0.9,en;q=0.8');
    expect(headers['content-language']).toBe('fr');
    expect(body).toMatchObject({
      title: 'La journée ne peut pas être clôturée',
      detail: "La journée du 02/03/2026 ne peut pas encore être clôturée. Levez d'abord les obstacles.",
    });
    expect(body.errors).toContainEqual({
      ...{ code: 'not_reconciled', params: { through: MONDAY } },
      detail: "Aucun rapprochement n'a été lancé depuis la fin de la journée. Lancez-en un jusqu'au 02/03/2026.",
    });
    const { code, status, type, params, errorCount } = body;
    expect({ code, status, type, params, errorCount }).toEqual({
      ...{ code: english.code, status: english.status, type: english.type },
      ...{ params: english.params, errorCount: english.errorCount },
    });
  });

  test('are Arabic where Arabic is preferred', async () => {
    await withItems(current.api);
    const { body, headers } = await closeDay('ar-TN');
    expect(headers['content-language']).toBe('ar');
    for (const text of [body.title, body.detail, ...body.errors.map(({ detail }: { detail: string }) => detail)]) {
      expect(text).toMatch(ARABIC);
    }
  });

  test('keep an English detail that has no translation', async () => {
    const { body } = await client.call('listAgents', { query: { limit: 0 }, headers: { 'Accept-Language': 'fr' } });
    expect(body).toMatchObject({ title: 'Saisie non valable', detail: 'limit: expected a whole number from 1 to 200' });
  });

  test('are in the language of a caller without a key', async () => {
    const headers = { Authorization: '', 'Accept-Language': 'fr' };
    const { status, text } = await current.api.call({ path: '/api/v1/agents', headers });
    expect([status, JSON.parse(text)]).toMatchObject([401, { title: 'Authentification nécessaire' }]);
  });

  test('are listed in each language', async () => {
    const titles = async (path: string, language: string): Promise<unknown> => {
      const { text } = await current.api.call({ path, headers: { Authorization: '', 'Accept-Language': language } });
      return JSON.parse(text);
    };
    expect(await titles('/api/problems/not_found', 'fr')).toMatchObject({ title: 'Introuvable' });
    const { data } = (await titles('/api/problems', 'ar')) as { data: { code: string; title: string }[] };
    expect(data.map(({ code }) => code)).toEqual([...problemStatuses().keys()]);
    expect(data.filter(({ title }) => !ARABIC.test(title))).toEqual([]);
  });
});
