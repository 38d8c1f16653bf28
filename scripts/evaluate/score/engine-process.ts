// The process in which the engine runs. It is told questions, never a world: the truth is in another process.
import { answerQuestion, type EngineQuestion } from './answer-question';

process.on('message', (question: EngineQuestion) => {
  process.send?.(answerQuestion(question));
});
