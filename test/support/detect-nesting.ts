// Runs before each test file: a query beside an open transaction fails.
import { detectNesting } from '../../src/db/testing';

detectNesting();
