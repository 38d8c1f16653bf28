// A process that runs command after command of the built program: see command-host.ts. A command ends where its own
// process would: when nothing is left to wait for. Whatever it hung on the process is taken off again.
const { dirname, join } = require('node:path');

const ROOT = dirname(dirname(__dirname));
const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const EMITTERS = [process, process.stdout, process.stderr];

let underWay;

process.on('message', ({ args, env, mark }) => {
  process.channel.unref();
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, MAIN, ...args];
  process.exitCode = undefined;
  underWay = { mark, listeners: EMITTERS.map(listenersOf) };
  delete require.cache[MAIN];
  require(MAIN);
});

process.on('beforeExit', (code) => {
  if (underWay === undefined) return;
  const { mark, listeners } = underWay;
  underWay = undefined;
  for (const { event, listener } of addedSince(process, listeners[0])) {
    if (event === 'exit') listener.call(process, process.exitCode ?? code);
  }
  const exitCode = process.exitCode ?? code;
  EMITTERS.forEach((emitter, index) => {
    for (const { event, listener } of addedSince(emitter, listeners[index])) emitter.removeListener(event, listener);
  });
  process.stdout.write(`${mark}${exitCode}\n`);
  process.stderr.write(`${mark}${exitCode}\n`);
  process.channel.ref();
});

function listenersOf(emitter) {
  return emitter.eventNames().flatMap((event) => emitter.rawListeners(event).map((listener) => ({ event, listener })));
}

function addedSince(emitter, before) {
  const known = new Set(before.map(({ listener }) => listener));
  return listenersOf(emitter).filter(({ listener }) => !known.has(listener));
}
