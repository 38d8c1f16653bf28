// Goal: a person asks for notifications, sees what became of them, and stops them, without another person's help.
// Method: requests of a browser without scripts, on both databases.
import { expect, test } from '@jest/globals';
import { describeConsole, person } from './support/visitor';

const PATH = '/console/me/notifications';

describeConsole('the page of notifications', (current) => {
  test('adds an address, sends a test, shows the message, and removes both', async () => {
    const salma = await person(current.api, { name: 'salma', roles: ['finance'] });
    const fields = { way: 'email', address: 'salma@bank.example', kinds: ['high_break'], language: 'ar' };
    const added = await salma.send(await salma.get(PATH), 'add', fields);
    expect(added.text).toContain('salma@bank.example');
    const tested = await salma.send(added, 'test');
    expect(tested.text).toContain('The test is sent within a minute');
    await current.api.millime.notifications.send();
    const failed = await salma.get(PATH);
    expect(failed.text).toContain('The server cannot be reached');
    const removed = await salma.send(failed, 'remove');
    expect(removed.text).not.toContain('salma@bank.example');
  });

  test('shows the secret of a webhook once', async () => {
    const salma = await person(current.api, { name: 'salma', roles: ['finance'] });
    const fields = { way: 'webhook', address: 'https://bank.example/hook', kinds: ['failed_job'] };
    const shown = await salma.send(await salma.get(PATH), 'add', fields);
    const [secret = 'none'] = /whsec_[\w+/=]+/.exec(shown.text) ?? [];
    expect(secret.length).toBeGreaterThan(40);
    expect((await salma.get(PATH)).source).not.toContain(secret);
  });

  test.each([
    [{ address: 'nowhere', kinds: ['high_break'] }, 400],
    [{ address: 'salma@bank.example' }, 400],
  ])('refuses %j beside its field, and stores nothing', async (fields, status) => {
    const salma = await person(current.api, { name: 'salma', roles: ['finance'] });
    const page = await salma.send(await salma.get(PATH), 'add', { way: 'email', ...fields });
    expect(page.status).toBe(status);
    expect(page.byRole('alert').join()).not.toBe('');
    expect((await salma.get(PATH)).text).toContain('No notifications yet');
  });

  test('offers a person only what their roles may read', async () => {
    const omar = await person(current.api, { name: 'omar', roles: ['operator'] });
    expect((await omar.get(PATH)).source).not.toContain('value="high_break"');
    const field = await person(current.api, { name: 'fatma', roles: ['field'] });
    expect((await field.get(PATH)).text).toContain('Your roles allow no notifications');
  });
});
