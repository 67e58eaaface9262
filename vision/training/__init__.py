"""Training of the finder and the classifier, apart from what runs at the table (extra ``train``)."""
