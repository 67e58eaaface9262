"""The desk: keeps one match open, writes down what happens, and says what ``referee`` says. It judges nothing."""
