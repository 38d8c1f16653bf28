// A thread of threads.test.ts in place of the one of Millime: it answers a task with the size of its body, and never if
// the operation is `endless`.
const { parentPort } = require('node:worker_threads');

parentPort.on('message', ({ operationId, input }) => {
  for (; operationId === 'endless';);
  parentPort.postMessage({ answer: { status: 200, headers: {}, body: String(input.body?.byteLength) } });
});
