import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listSettings } from '../../../src/config';

const ROOT = join(__dirname, '../../..');
const textOf = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

const SETTINGS = new Set(listSettings().map(({ name }) => name));
const COMPOSE = textOf('deploy', 'docker', 'compose.yml');
const DOCKERFILE = textOf('deploy', 'docker', 'Dockerfile');
const UNITS = readdirSync(join(ROOT, 'deploy', 'systemd'));

/** The names that a service of the compose file sets under `environment`. */
function environmentOf(service: string): string[] {
  const block = new RegExp(`^  ${service}:\\n(?:(?:    .*)?\\n)*?    environment:\\n((?:      .*\\n)+)`, 'm').exec(
    COMPOSE,
  );
  return [...(block?.[1] ?? '').matchAll(/^ {6}(\w+):/gm)].map(([, name = '']) => name);
}

describe('the files of deploy/', () => {
  test('set only variables that Millime reads', () => {
    const inDockerfile = /^ENV (.*)$/m.exec(DOCKERFILE)?.[1]?.split(' ') ?? [];
    const inUnits = UNITS.flatMap((file) =>
      [...textOf('deploy', 'systemd', file).matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name),
    );
    const names = [
      ...environmentOf('http'),
      ...environmentOf('jobs'),
      ...inDockerfile.map((each) => each.split('=')[0] ?? ''),
      ...inUnits,
    ];
    expect(names.length).toBeGreaterThanOrEqual(9);
    expect(names.filter((name) => !SETTINGS.has(name))).toEqual([]);
  });

  test('publish the metrics to the machine alone, on the ports that the settings name', () => {
    for (const [service, port] of [
      ['http', 9464],
      ['jobs', 9465],
    ] as const) {
      const block = COMPOSE.slice(COMPOSE.indexOf(`\n  ${service}:\n`)).split(/\n\n/, 1)[0] ?? '';
      expect(block).toContain(`METRICS_PORT: ${port}`);
      expect(block).toContain(`127.0.0.1:${port}:${port}`);
    }
    const published = [...COMPOSE.matchAll(/'([\d.]*:?\d+:\d+)'/g)].map(([, ports = '']) => ports);
    expect(published.filter((ports) => !ports.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('contain no password', () => {
    const files = ['docker/compose.yml', 'docker/Dockerfile', 'docker/create-users.sh'];
    for (const file of files) {
      const lines = textOf('deploy', file)
        .split('\n')
        .filter((line) => !/^\s*#/.test(line));
      expect(lines.filter((line) => /password['"]?\s*[:=]\s*['"]?\w/i.test(line) && !line.includes('file:'))).toEqual(
        [],
      );
    }
  });

  test('copy into the image only what exists', () => {
    const kept = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(kept.map((line) => line.slice(1)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('lead from every alert to a heading of the operations manual', () => {
    const headings = [...textOf('docs', 'OPERATIONS.md').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 _-]/g, '')
        .replaceAll(' ', '-'),
    );
    const rules = textOf('deploy', 'prometheus', 'alerts.yml');
    const anchors = [...rules.matchAll(/runbook: docs\/OPERATIONS\.md#(\S+)/g)].map(([, anchor = '']) => anchor);
    expect(anchors).toHaveLength([...rules.matchAll(/- alert:/g)].length);
    expect(anchors.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });

  test.each(UNITS)('keep the unit %s as hardened as the others', (file) => {
    const lines = textOf('deploy', 'systemd', file).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=', 'User=millime']),
    );
  });
});
