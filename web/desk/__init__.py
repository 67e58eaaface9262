"""The desk: keeps one match open, writes down what happens, says what ``referee`` says, judges nothing."""
