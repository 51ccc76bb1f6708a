import { configure } from '@testing-library/react';

// Generous: on a busy machine no test fails for being slow.
configure({ asyncUtilTimeout: 15_000 });
