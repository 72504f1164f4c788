<?php
// Reads nested names with PHP. Usage: php -S 127.0.0.1:PORT post.php
header('Content-Type: application/json');
echo json_encode(['version' => 'php ' . PHP_VERSION, 'value' => $_POST]);
