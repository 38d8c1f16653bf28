/**
 * What the set-up of a run tells its workers, through the environment that they inherit. They are undefined in a
 * project that asks for no databases.
 */
export const testRun = {
  /** A folder of this run; it is removed at the end. */
  get folder(): string {
    const folder = process.env['MILLIME_TEST_FOLDER'];
    if (folder === undefined) throw new Error('this jest project has no globalSetup: see jest.config.cjs');
    return folder;
  },
  /** The MariaDB server of this run, as a DATABASE_URL without a database name that matters; undefined without one. */
  get mariadbUrl(): string | undefined {
    return process.env['MILLIME_TEST_MARIADB_URL'];
  },
  /** The data folder of a new MariaDB server, to be copied; undefined where this run installed none. */
  get mariadbData(): string | undefined {
    return process.env['MILLIME_TEST_MARIADB_DATA'];
  },
  start(folder: string, mariadbUrl: string | undefined, mariadbData?: string): void {
    process.env['MILLIME_TEST_FOLDER'] = folder;
    if (mariadbData === undefined) delete process.env['MILLIME_TEST_MARIADB_DATA'];
    else process.env['MILLIME_TEST_MARIADB_DATA'] = mariadbData;
    if (mariadbUrl === undefined) delete process.env['MILLIME_TEST_MARIADB_URL'];
    else process.env['MILLIME_TEST_MARIADB_URL'] = mariadbUrl;
  },
};
