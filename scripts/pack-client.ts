// npm run pack:client [-- <folder>]
// Packs the client of the gateway as an installable package of its own: millime-<version>.tgz in dist/, or in the given folder.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import * as client from '../src/gateway';

interface ProjectPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const ROOT = resolve(__dirname, '..');
const ENTRY = join(ROOT, 'src', 'gateway', 'index.ts');
const DEPENDENCIES = ['axios'];
const OWN_SOURCE = /^src\/(gateway|kernel|logging)\//;

main(process.argv[2] ?? join(ROOT, 'dist')).catch((error: unknown) => {
  console.error(`pack:client: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function main(destination: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'millime-client-'));
  try {
    // The folder has the name of the export, so that a resolver that ignores `exports` (node10) finds the same files.
    const gateway = join(folder, 'gateway');
    await bundleCode(join(gateway, 'index.js'));
    await bundleTypes(join(gateway, 'index.d.ts'));
    writeFileSync(join(gateway, 'index.mjs'), moduleText());
    writeFileSync(join(gateway, 'index.d.mts'), "export * from './index.js';\n");
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
    copyFileSync(join(ROOT, 'docs', 'CLIENT.md'), join(folder, 'README.md'));
    copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
    mkdirSync(destination, { recursive: true });
    const packed = spawnSync('npm', ['pack', folder, '--silent', '--pack-destination', resolve(destination)]);
    if (packed.status !== 0) throw new Error(`npm pack: ${packed.error?.message ?? packed.stderr.toString()}`);
    console.log(join(destination, packed.stdout.toString().trim()));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundleCode(outfile: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [ENTRY],
    outfile,
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    external: DEPENDENCIES,
    legalComments: 'none',
    metafile: true,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const foreign = inputs.filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !OWN_SOURCE.test(path));
  if (foreign.length > 0) {
    throw new Error(`expected sources of the client only, got ${foreign.map(([path]) => path).join(', ')}`);
  }
}

async function bundleTypes(file: string): Promise<void> {
  const bundle = await rollup({ input: ENTRY, plugins: [dts({ tsconfig: join(ROOT, 'tsconfig.json') })] });
  await bundle.write({ file, format: 'es' });
  await bundle.close();
}

/**
 * The ES module re-exports the CommonJS file, so that a process that loads both has one class of errors and one client.
 */
function moduleText(): string {
  return `export {\n${Object.keys(client)
    .map((name) => `  ${name},\n`)
    .join('')}} from './index.js';\n`;
}

function packageJson(): object {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { name, version, license, dependencies } = JSON.parse(text) as ProjectPackage;
  return {
    name,
    version,
    description: 'Typed client of a Tunisian payment gateway: amounts in millimes, one error type, safe retries',
    private: true,
    license,
    type: 'commonjs',
    sideEffects: false,
    engines: { node: '>=20.19' }, // the database driver, which limits the Node versions of Millime, is not in the client
    exports: {
      './gateway': {
        import: { types: './gateway/index.d.mts', default: './gateway/index.mjs' },
        require: { types: './gateway/index.d.ts', default: './gateway/index.js' },
      },
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(DEPENDENCIES.map((dependency) => [dependency, dependencies[dependency]])),
  };
}
